-- What delivery keeps besides the emails: who holds a lease, whether a transport is paused, and who may send when.

-- The worker's lock (see posthorn_queue.lives): a lease is over as soon as its holder is gone.
alter table emails add column lease_holder integer;

-- A transport that fails wholesale rests, for all processes. No row: it works.
create table transport_pauses (
  transport text primary key,
  reason text not null,
  since timestamptz(3) not null,
  paused_until timestamptz(3) not null,
  pauses integer not null,
  probed_until timestamptz(3) -- someone is trying whether it works again
);

-- Until when the slots of a project are given out, or with a nil id those of the provider. Unlogged: after a crash
-- everyone starts with a fresh second, and that is fine.
create unlogged table send_paces (
  scope uuid primary key,
  taken_until timestamptz not null
) with (fillfactor = 50);
