-- With DATA_ENCRYPTION, what a message says is stored here instead of in the readable columns, which are then empty.
-- Encrypted bytes can't be compressed.
alter table email_contents add column encrypted bytea;
alter table email_contents alter column encrypted set storage external;
alter table emails add column encrypted_variables bytea;
alter table captured_messages add column encrypted boolean not null default false;
alter table sns_messages add column encrypted bytea;
