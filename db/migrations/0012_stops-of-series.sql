ALTER TABLE `series` ADD `stop` text;--> statement-breakpoint
UPDATE `series` SET `stop` = CASE
  WHEN `problem` LIKE '% was not created: you are out of tokens.' THEN json_object('code', 'unpaid', 'at', `laid_until`)
  WHEN `problem` LIKE '% was not created: no host in turn could make it.' THEN json_object('code', 'no-turn', 'at', `laid_until`)
  ELSE json_object('code', 'refused', 'at', `laid_until`, 'reason', substr(`problem`, instr(`problem`, ' was not created: ') + 18))
END WHERE `problem` <> '';
