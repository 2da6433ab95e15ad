"""Any server that speaks the Messages API: requests, streams, replies, tools, faults."""
