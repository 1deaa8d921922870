-- Whether an opt-out was made through the API and not by the contact. Opt-outs from before this column count as the contact's own.
alter table contacts add column opted_out_by_api boolean not null default false;
-- Received a confirmation email and has not confirmed yet: gets no marketing email.
alter table contacts add column pending boolean not null default false;

-- What requests with the public key change about contacts.
alter table projects add column public_key_updates text not null default 'all' check (public_key_updates in ('all', 'new', 'none'));
