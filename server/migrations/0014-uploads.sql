-- Uploaded images. The bytes are in a store outside the database, under `storage_key`.

create table uploads (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  storage_key text not null,
  content_type text not null,
  size integer not null,
  width integer not null,
  height integer not null,
  created_at timestamptz(3) not null,
  primary key (project_id, id)
);

-- What must still be taken out of the store. Whoever deletes rows, or a project with all it has, need not think of it.
create table upload_removals (
  storage_key text primary key
);

create function note_upload_removals() returns trigger language plpgsql as $$
begin
  insert into upload_removals (storage_key) select storage_key from gone on conflict do nothing;
  return null;
end $$;

create trigger note_upload_removals after delete on uploads
  referencing old table as gone for each statement execute function note_upload_removals();
