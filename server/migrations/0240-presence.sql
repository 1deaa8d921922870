-- What a member has open in an editor, so that others who open it see that. `editing` is the kind and the id.
alter table members add column editing text, add column editing_at timestamptz(3);
