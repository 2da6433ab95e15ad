"""Rules that join the agents' answers with what code finds: in plans, designs, quotations, looks, decisions."""
