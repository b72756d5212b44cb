-- Holds that have run out are swept by the application, which also offers their seats to those who wait.
drop function sweep_holds();
