-- Emails that contain an uploaded image are compiled with its size, which is found by the URL of the image.

create index uploads_storage_key on uploads (project_id, storage_key);
