"""Rules that join the twelve agents' answers with what code finds: in plans, designs, quotations, looks, decisions."""
