CREATE TABLE `delivery_days` (
	`day` text NOT NULL,
	`state` text NOT NULL,
	`deliveries` integer NOT NULL,
	PRIMARY KEY(`day`, `state`)
) WITHOUT ROWID;
