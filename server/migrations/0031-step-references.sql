-- What a step refers to is stored with it, by its type's definition, so that others find it without knowing step types:
-- contact fields as `email` or `data.plan`, events of a condition as `event.signup`.
alter table workflow_steps add column used_fields text[] not null default '{}';

update workflow_steps s
set used_fields = array(select distinct jsonb_path_query(s.config, '$.**.field') #>> '{}')
where type = 'CONDITION';

with recursive updated as (
  select s.project_id, s.id, 'data.' || entry.key as field, entry.value
  from workflow_steps s, jsonb_each(case jsonb_typeof(s.config -> 'updates') when 'object' then s.config -> 'updates' else '{}' end) as entry
  where s.type = 'UPDATE_CONTACT'
  union all
  select u.project_id, u.id, u.field || '.' || entry.key, entry.value
  from updated u, jsonb_each(case jsonb_typeof(u.value) when 'object' then u.value else '{}' end) as entry
)
update workflow_steps s
set used_fields = array(
  select distinct field from updated u where u.project_id = s.project_id and u.id = s.id
  union all
  select 'subscribed' where s.config ? 'subscribed')
where s.type = 'UPDATE_CONTACT';
