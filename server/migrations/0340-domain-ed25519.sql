-- An Ed25519 key that signs beside the RSA key of a domain; null without one.
alter table domains
  add column ed25519_selector text,
  add column ed25519_public_key text,
  add column ed25519_private_key bytea, -- encrypted as dkim_private_key is
  add constraint domains_ed25519_whole check (num_nulls(ed25519_selector, ed25519_public_key, ed25519_private_key) in (0, 3));
