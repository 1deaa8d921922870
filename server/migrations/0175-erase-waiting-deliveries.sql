-- The waiting requests of a contact that carry facts of their own, for erasing them.
create index webhook_deliveries_contact on webhook_deliveries (project_id, contact_id)
  where facts is not null and contact_id is not null;
