-- Records which files must be removed from the store, however their rows are deleted.

create or replace function record_upload_removals() returns trigger language plpgsql as $$
begin
  insert into upload_removals (storage_key) select storage_key from gone on conflict do nothing;
  return null;
end $$;

create or replace trigger uploads_gone after delete on uploads
  referencing old table as gone for each statement execute function record_upload_removals();
