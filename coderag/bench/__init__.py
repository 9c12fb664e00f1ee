"""How good retrieval is: tasks with known answers, metrics, the worth of every stage, and where each miss was lost.

A task is a sequence of cases (`values.Case`): a tree at a commit and questions about it whose answers are known. `run` puts them to a
subject, coderag or a peer; `scoring` grades the places that come back; `summary` averages. What is measured comes by path and
nothing of it is kept here. Imports `Index` and what stands below; never writes outside of its working folder.
"""
