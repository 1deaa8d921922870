-- The mail server refused the user or the password, or SES the access key. Until now, `transport` was the name of a transport; now
-- it also has a fingerprint of its settings, so that a pause doesn't outlast them.
alter table transport_pauses add column credentials_refused boolean not null default false;
