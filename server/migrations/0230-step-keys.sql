-- The key with which a step was imported, so that a document that is imported again finds its steps.
alter table workflow_steps add column key text;
