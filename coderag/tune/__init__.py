"""Fitting the weights of the ranking: to the queries of a benchmark, and to a team's own history.

`examples` turns the cases of benchmark tasks into arrays: what each signal says of each candidate, and which candidates are right. `fit`
finds the weights that put the right ones first, `judging` grades weights on questions that they were not fitted to, `bundled` makes the file
that the package ships and `own` that of one repository. Knows benchmark, index and signals; keeps no text of any question.
"""
