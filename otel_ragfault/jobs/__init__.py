"""What runs over a database: build records, label, replay under other settings, query."""
