"""All that the brakes of a host count, in one memory. It is made before the processes are forked."""

from __future__ import annotations

from ..limits import COUNTED, COUNTED_STREAMS, HOST_COUNTED
from .counts import SharedCounts
from .memory import SharedMemory
from .streams import OpenStreams


class HostCounts:
    """The counts of addresses, those of the host, and the open streams, of all processes that share this."""

    def __init__(self) -> None:
        memory = SharedMemory(COUNTED + HOST_COUNTED + COUNTED_STREAMS)
        self.addresses = SharedCounts(memory, COUNTED)
        self.host = SharedCounts(memory, HOST_COUNTED)
        self.streams = OpenStreams(memory, COUNTED_STREAMS)
