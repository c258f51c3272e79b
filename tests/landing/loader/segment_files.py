def segments(folder):
    """Return the names of the sealed segments of a spool."""
    return sorted(path.name for path in folder.glob("*.segment"))
