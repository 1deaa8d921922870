-- A key that is claimed belongs to one request of one process. When the process exits before the request has had its
-- effect, the next request with the key takes it over; the id of the claim keeps the first from having its effect then.
alter table idempotency_keys
  add column claim_id uuid,
  add column claimed_by int; -- the lock number of the process, see posthorn_queue.lives; null: not known
