-- The analytics of confirmations, which read a period without the rest of the record of consent.
create index consents_confirmations on consents (project_id, kind, at, contact_id) where kind in ('confirmation.requested', 'confirmed');
