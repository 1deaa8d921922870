-- Test emails have the source TEST. Not validated, because every stored source is one of the earlier ones.
alter table emails drop constraint emails_source_type_check;
alter table emails add constraint emails_source_type_check check (source_type in
  ('TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'INBOUND', 'TEST')) not valid;
