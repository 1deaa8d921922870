-- The process whose email tests the transport after a pause. If it has exited, another one tests it.
alter table transport_pauses add column probed_by int;
