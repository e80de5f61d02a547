# Writes tests/support/series-dates.txt: the dates of 500 rules by python-dateutil, in 200 zones over five years (G-07).
# Run: python3 tests/long/series-dates.py > tests/support/series-dates.txt
import hashlib
import random
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo, available_timezones

from dateutil import rrule

RULES, ZONES, GROUP = 500, 200, 10
SEED = 20261122
UTC_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
# Zones with odd changes: half an hour, at midnight, at 24:00, in the south, twice in Ramadan.
ODD = [
    "Australia/Lord_Howe", "America/Asuncion", "Asia/Beirut", "Africa/Cairo", "Africa/Casablanca", "Asia/Tehran",
    "America/Havana", "America/St_Johns", "Antarctica/Troll", "Asia/Amman", "Asia/Gaza", "Europe/Dublin",
    "Pacific/Apia", "America/Nuuk", "America/Santiago", "Pacific/Norfolk", "Asia/Kathmandu", "Pacific/Chatham",
    "Pacific/Kiritimati", "America/Sao_Paulo",
]
REGIONS = ("Africa/", "America/", "Antarctica/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/")
TOO_NEW = {"America/Coyhaique"}


def draw_rule(pick):
    every = pick.choice(["DAILY", "WEEKLY", "MONTHLY"])
    parts = [f"FREQ={every}"]
    interval = pick.choice([1, 1, 2, 3, pick.randint(1, 12)])
    if interval > 1:
        parts.append(f"INTERVAL={interval}")
    days = pick.sample(DAYS, pick.randint(1, 4)) if pick.random() < (0.7 if every == "WEEKLY" else 0.3) else []
    if every == "MONTHLY":
        # Python-dateutil and RFC 5545 disagree on rules that mix both, so the product refuses them.
        ordinals = pick.choice([[""], ["1", "2", "3", "4", "5", "-1", "-2"]])
        days = [pick.choice(ordinals) + day for day in days]
    if days:
        parts.append("BYDAY=" + ",".join(days))
    if every != "WEEKLY" and pick.random() < 0.35:
        month_days = pick.sample([n for n in range(-31, 32) if n != 0], pick.randint(1, 3))
        parts.append("BYMONTHDAY=" + ",".join(map(str, month_days)))
    end = pick.random()
    if end < 0.2:
        parts.append(f"COUNT={pick.randint(1, 500)}")
    elif end < 0.35:
        day = datetime(2019, 6, 1) + timedelta(days=pick.randint(0, 1500))
        parts.append(day.strftime("UNTIL=%Y%m%d"))
    elif end < 0.45:
        at = datetime(2019, 6, 1) + timedelta(minutes=pick.randint(0, 1500 * 1440))
        parts.append(at.strftime("UNTIL=%Y%m%dT%H%M%SZ"))
    return ";".join(parts)


def walls(text, start, end):
    """The rule on the wall clock, without its UNTIL."""
    kept = ";".join(part for part in text.split(";") if not part.startswith("UNTIL="))
    found = []
    for wall in rrule.rrulestr(kept, dtstart=start):
        if wall >= end:
            break
        found.append(wall)
    return found


def instant_of(wall, zone):
    """The first of a repeated time; the first valid minute after a skipped one."""
    while True:
        at = wall.replace(tzinfo=zone, fold=0).astimezone(timezone.utc)
        if at.astimezone(zone).replace(tzinfo=None) == wall:
            return int((at - UTC_EPOCH).total_seconds())
        wall += timedelta(minutes=1)


def dates(text, found, zone):
    until = next((part[6:] for part in text.split(";") if part.startswith("UNTIL=")), None)
    result = []
    for wall in found:
        if until and len(until) == 8 and wall.strftime("%Y%m%d") > until:
            break
        at = instant_of(wall, zone)
        if until and len(until) > 8:
            last = datetime.strptime(until, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
            if at > int((last - UTC_EPOCH).total_seconds()):
                break
        result.append(at)
    return result


def main():
    pick = random.Random(SEED)
    others = sorted(
        name for name in available_timezones() if name.startswith(REGIONS) and name not in ODD and name not in TOO_NEW
    )
    zones = ODD + sorted(pick.sample(others, ZONES - len(ODD)))
    pick.shuffle(zones)
    known = [ZoneInfo(name) for name in zones]
    print("zones " + " ".join(zones))
    for _ in range(RULES):
        text = draw_rule(pick)
        # Clocks change at night, so most rules are set there.
        hour = pick.choice([0, 1, 2, 2, 3, pick.randint(4, 23)])
        start = datetime(2019, 1, 1, hour, pick.choice([0, 0, 15, 30, 59])) + timedelta(days=pick.randint(0, 700))
        found = walls(text, start, start + timedelta(days=5 * 365))
        hashes = []
        for first in range(0, ZONES, GROUP):
            group = "\n".join(
                " ".join(map(str, dates(text, found, zone))) for zone in known[first : first + GROUP]
            )
            hashes.append(hashlib.sha256(group.encode()).hexdigest()[:8])
        print(text, start.strftime("%Y-%m-%dT%H:%M"), " ".join(hashes))


main()
