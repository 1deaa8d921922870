-- Records when a template was last used. A template is written at most once an hour, and never waited for, so that
-- sending is not slowed down by it.
create or replace function note_templates_used() returns trigger language plpgsql as $$
begin
  if not exists (select from added where template_id is not null) then return null; end if;
  update templates set last_used_at = used.at from (
    select t.project_id, t.id, recent.at from (
      select project_id, template_id, max(created_at) as at from added where template_id is not null
      group by project_id, template_id
    ) as recent
    join templates t on t.project_id = recent.project_id and t.id = recent.template_id
    where t.last_used_at is null or t.last_used_at < recent.at - interval '1 hour'
    for no key update of t skip locked
  ) as used where templates.project_id = used.project_id and templates.id = used.id;
  return null;
end $$;

create or replace trigger templates_used after insert on emails
  referencing new table as added for each statement execute function note_templates_used();
