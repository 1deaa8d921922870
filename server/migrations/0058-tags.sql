-- Tags of campaigns, templates, segments and workflows, and when a template was last used.
alter table campaigns add column tags text[] not null default '{}';
alter table templates add column tags text[] not null default '{}', add column last_used_at timestamptz(3);
alter table segments add column tags text[] not null default '{}';
alter table workflows add column tags text[] not null default '{}';

create index campaigns_tags on campaigns using gin (project_id, tags) where tags <> '{}';
create index templates_tags on templates using gin (project_id, tags) where tags <> '{}';
create index workflows_tags on workflows using gin (project_id, tags) where tags <> '{}';

update templates set last_used_at = sent.at from (
  select project_id, template_id, max(sent_at) as at from campaigns where template_id is not null and sent_at is not null
  group by project_id, template_id
) as sent where templates.project_id = sent.project_id and templates.id = sent.template_id;
