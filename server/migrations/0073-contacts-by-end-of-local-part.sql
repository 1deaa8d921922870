-- Finds addresses by the part before the @, from its end, so that a search for an address doesn't take longer with more
-- contacts. A quoted part can contain another @; there are few, and all of them have the empty key.
create index contacts_local_part_end on contacts
  (project_id, ((case when email like '"%' then '' else reverse(split_part(email, '@', 1)) end) collate "C"));

-- Without statistics about the new index, searches would not use it until much of the table has changed.
analyze contacts;
