-- From when the sunset rule of a project counts the marketing emails of a contact anew, because someone chose to send to it again.
alter table contacts add column sunset_reset_at timestamptz(3);
