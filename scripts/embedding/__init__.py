"""The steps that make the bundled embedding model: archives -> licences -> items -> vocabulary -> vectors -> figures."""
