"""A strict stand-in for the Messages API on the loopback interface, scripted per test.

In a test: the fixture `loopback` (import it from `tests.loopback.fixture` in a conftest). As a process of its own, for
real editors: `python -m tests.loopback --script FILE`.
"""
