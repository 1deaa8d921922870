-- Double opt-in: when a contact was last asked to confirm, how many confirmation emails it got since it last confirmed, and when it confirmed.
alter table contacts add column confirmation_requested_at timestamptz(3);
alter table contacts add column confirmations_sent smallint not null default 0;
alter table contacts add column confirmed_at timestamptz(3);
create index contacts_pending on contacts (project_id, id) where pending;

-- {enabled, templateId, redirectUrl}
alter table projects add column double_opt_in jsonb not null default '{}';
