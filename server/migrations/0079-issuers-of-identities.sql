-- Ids of people are unique at one provider only. If another issuer is configured, its people must not get the accounts of the old
-- one. Null: from before; the next start sets the configured issuer (features/oauth/actions.ts).
alter table identities add column issuer text;
alter table identities drop constraint identities_pkey;
alter table identities add constraint identities_key unique nulls not distinct (provider, issuer, subject);
