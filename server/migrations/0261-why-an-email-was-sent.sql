-- How a request to send was made: 'api', 'smtp' or 'dashboard', and with which key; null for other emails and the secret key.
alter table emails add column via text, add column key_id uuid;

-- The import that created a contact, and the last one that changed it.
alter table contacts add column created_by_import uuid, add column updated_by_import uuid;
