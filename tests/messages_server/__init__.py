"""A real HTTP server that speaks the Messages API on loopback, with faults on demand, for tests."""

from tests.messages_server.alike import context_answerer
from tests.messages_server.answerers import answers_by_label, conversations, label_of, transcript_answerer
from tests.messages_server.conversing import Turn, Use
from tests.messages_server.faults import Fault
from tests.messages_server.server import Delivery, MessagesServer

__all__ = [
    "Delivery",
    "Fault",
    "MessagesServer",
    "Turn",
    "Use",
    "answers_by_label",
    "context_answerer",
    "conversations",
    "label_of",
    "transcript_answerer",
]
