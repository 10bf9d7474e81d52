"""Loaded into each pytest that an explored command starts: turns off pytest-rerunfailures."""


def pytest_configure(config):
    if hasattr(config.option, "reruns"):
        config.option.reruns = 0


def pytest_collection_modifyitems(items):
    for item in items:
        for node in item.listchain():
            node.own_markers[:] = [mark for mark in node.own_markers if mark.name != "flaky"]
