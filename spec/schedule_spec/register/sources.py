"""The sections of the three seed documents that clauses cite, by an English gloss of their headings."""

from typing import Final

from schedule_spec.register.model import Seed, Source

S1_OVERVIEW: Final = Source(Seed.S1, "introduction")
S1_RECORDS: Final = Source(Seed.S1, "Durable records")
S1_ABSOLUTE: Final = Source(Seed.S1, "Absolute-time input")
S1_FIXED_RATE: Final = Source(Seed.S1, "Fixed-rate input and catching up")
S1_REPLAY: Final = Source(Seed.S1, "Durable changes and replay")
S1_VIEWS: Final = Source(Seed.S1, "Active views and management")
S1_DELIVERY: Final = Source(Seed.S1, "Live delivery")

S2_OVERVIEW: Final = Source(Seed.S2, "introduction")
S2_COMPOSITION: Final = Source(Seed.S2, "Composition")
S2_STATE: Final = Source(Seed.S2, "Durable state")
S2_ABSOLUTE: Final = Source(Seed.S2, "Absolute-time input")
S2_TOOLS: Final = Source(Seed.S2, "Management tools")
S2_LIFECYCLE: Final = Source(Seed.S2, "Delivery lifecycle")
S2_MODEL_TOOLS: Final = Source(Seed.S2, "Model experience: the scoped management tools")
S2_FRAMING: Final = Source(Seed.S2, "Model experience: the follow-up of a due reminder")
S2_BATCH_FRAMING: Final = Source(Seed.S2, "Model experience: the batch of due fixed-rate reminders")
S2_LIMITS: Final = Source(Seed.S2, "Known limits and deferred matters")

S3_RECORDS: Final = Source(Seed.S3, "Durable records")
S3_REPLAY: Final = Source(Seed.S3, "Durable changes and replay")
S3_VIEWS: Final = Source(Seed.S3, "Active views and management")
