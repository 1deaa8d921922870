-- The project's language when the email was first claimed for sending, as with tracking: a retry sends the same bytes.
alter table emails add column language text;
