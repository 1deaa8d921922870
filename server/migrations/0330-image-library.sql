-- Images have a name that can be changed, a folder and an alternative text. A folder is only a name.

alter table uploads
  add column name text,
  add column folder text,
  add column alt text;

create index uploads_folder on uploads (project_id, folder, id) where folder is not null;
