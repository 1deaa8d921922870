-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* delete-upload */
delete from uploads where project_id = $1 and id = $2;

/* find-image-uses */
select * from (
  (select 'template' as type, id, name from templates
    where project_id = $1 and strpos(body, $2) > 0)
  union all
  (select 'campaign', id, name from campaigns
    where project_id = $3 and (strpos(body, $4) > 0 or exists (
      select from campaign_experiments as experiments
      where experiments.project_id = $5 and experiments.campaign_id = campaigns.id
        and strpos(experiments.variants::text, $6) > 0)))
  union all
  (select 'layout', id, name from layouts
    where project_id = $7 and strpos(header::text || footer::text, $8) > 0)
  union all
  (select 'saved-blocks', id, name from saved_blocks
    where project_id = $9 and strpos(blocks::text, $10) > 0)
  union all
  (select 'branding', id, name from projects
    where id = $11 and strpos(branding::text, $12) > 0)
) as uses
order by type = 'campaign', type, lower(name), id limit $13;

/* find-upload */
select id, storage_key, content_type, size, width, height, name, folder, alt, created_at from uploads where project_id = $1 and id = $2;

/* list-image-folders */
select folder as name, count(*)::int as images from uploads
where project_id = $1 and folder is not null
group by folder order by lower(folder), folder;

/* lock-upload */
select id, storage_key, content_type, size, width, height, name, folder, alt, created_at from uploads where project_id = $1 and id = $2 for update;

/* update-upload */
update uploads set name = $1, folder = $2, alt = $3
where project_id = $4 and id = $5;
