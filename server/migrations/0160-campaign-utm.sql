-- The UTM parameters of a campaign's links; null if they are the project's, which are in `projects.sending`.
alter table campaigns add column utm jsonb;
