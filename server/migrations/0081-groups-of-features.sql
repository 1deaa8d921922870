-- Features moved into groups, and with them the files that declare their functions and triggers.
update sql_files set name = replace(name, 'features/' || moved.feature || '/', 'features/' || moved.team || '/' || moved.feature || '/')
from (values
  ('activity', 'insight'),
  ('campaigns', 'automation'),
  ('contacts', 'audience'),
  ('delivery', 'mail'),
  ('executions', 'automation'),
  ('journal', 'record'),
  ('segments', 'audience'),
  ('templates', 'content'),
  ('uploads', 'content'),
  ('usage', 'tenants')
) as moved (feature, team)
where sql_files.name like 'features/' || moved.feature || '/%';
