-- Emails that are sent later have the status SCHEDULED. Not validated, because every stored status is one of the earlier ones.
alter table emails drop constraint emails_status_check;
alter table emails add constraint emails_status_check check (status in
  ('SCHEDULED', 'PENDING', 'SENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED', 'FAILED', 'CANCELLED', 'RECEIVED')) not valid;
