/** Every setting of the program, declared once: what it means, its check, default, flag and variable. */
import * as v from "valibot";
import { parseDatabaseUrl } from "./databaseUrl.ts";
import { parseMailUrl, parseSender } from "./mailUrl.ts";
import { parseScannerPlace } from "./scannerPlace.ts";
import { s3Place } from "./s3Place.ts";
import {
  dataKeys,
  domains,
  hoursOrOff,
  httpsAddress,
  numberBetween,
  onOff,
  origin,
  parsed,
  proxies,
  recipients,
  setting,
  text,
  threeNumbers,
  token,
} from "./setting.ts";

/** By their names in `Config`; the README's table says the same. */
export const SETTINGS = {
  host: setting("HOST", "127.0.0.1", "the address it listens on", text),
  port: setting("PORT", "3000", "the port it listens on", numberBetween(0, 65_535)),
  dataDir: setting("DATA_DIR", "./data", "where content and settings are kept", text),
  uploadsDir: setting("UPLOADS_DIR", "./uploads", "where uploaded pictures are kept", text),
  databaseUrl: setting(
    "DATABASE_URL",
    undefined,
    "keeps content and what visitors send in PostgreSQL instead, for several machines: postgres://user:password@host/name; better given as a variable than as a flag",
    parsed(parseDatabaseUrl),
  ),
  uploadsS3: setting(
    "UPLOADS_S3",
    undefined,
    "keeps pictures in a bucket instead, for several machines: s3://bucket?endpoint=https://…&region=…; UPLOADS_DIR then holds copies of them",
    s3Place,
  ),
  uploadsCache: setting(
    "UPLOADS_CACHE",
    "1024",
    "megabytes that the copies of pictures in UPLOADS_S3 may take on each machine",
    numberBetween(16, 999_999),
  ),
  uploadsPublicUrl: setting(
    "UPLOADS_PUBLIC_URL",
    undefined,
    "where pages fetch pictures, such as a CDN that gets them from this site",
    origin,
  ),
  dataKey: setting(
    "DATA_KEY",
    undefined,
    "seals what the site keeps to itself (what signs sessions, authenticator apps, keys of certificates): 32 random bytes in base64; better a credential than a variable",
    dataKeys,
  ),
  clamd: setting(
    "CLAMD",
    undefined,
    "a virus scanner (ClamAV) that every picture is shown to first: unix:/run/clamav/clamd.ctl or host:3310",
    parsed(parseScannerPlace),
  ),
  siteUrl: setting(
    "SITE_URL",
    undefined,
    "the public address; with https it turns on Secure cookies and HSTS; the only Host and Origin answered",
    origin,
  ),
  domain: setting(
    "DOMAIN",
    undefined,
    "serves HTTPS itself, with a certificate for these names (the first is the site's): example.com, www.example.com",
    domains,
  ),
  email: setting(
    "EMAIL",
    undefined,
    "for DOMAIN: where the certificate authority writes when something is wrong",
    text,
  ),
  httpPort: setting(
    "HTTP_PORT",
    "80",
    "for DOMAIN: the port that is asked for the certificate, and redirects to HTTPS",
    numberBetween(0, 65_535),
  ),
  acmeDirectory: setting(
    "ACME_DIRECTORY",
    "https://acme-v02.api.letsencrypt.org/directory",
    "for DOMAIN: the certificate authority",
    httpsAddress,
  ),
  certificatesDir: setting(
    "CERTIFICATES_DIR",
    "./certificates",
    "for DOMAIN: where certificates and their keys are kept",
    text,
  ),
  trustedProxies: setting(
    "TRUSTED_PROXIES",
    undefined,
    "addresses or networks, separated by commas, whose X-Forwarded-For is believed",
    proxies,
  ),
  adminUsername: setting("ADMIN_USERNAME", undefined, "the first owner's username", text),
  adminEmail: setting("ADMIN_EMAIL", undefined, "the first owner's email address", text),
  adminPassword: setting("ADMIN_PASSWORD", undefined, "the first owner's password", v.string()),
  rateLimit: setting("RATE_LIMIT", "on", "off for load tests only", onOff),
  httpsSubdomains: setting(
    "HTTPS_SUBDOMAINS",
    "off",
    "on: every name below SITE_URL's is served over HTTPS too, and HSTS tells browsers so (includeSubDomains), for two years",
    onOff,
  ),
  plainLogin: setting(
    "PLAIN_LOGIN",
    "off",
    "on lets the owner log in over plain HTTP at a public address",
    onOff,
  ),
  fontProvider: setting(
    "FONT_PROVIDER",
    undefined,
    "a public font provider that speaks css2?family=, instead of this site",
    origin,
  ),
  privateCalls: setting(
    "PRIVATE_CALLS",
    "off",
    "on lets webhooks and push messages go to addresses inside the site's own network, also by http://",
    onOff,
  ),
  monitorToken: setting(
    "MONITOR_TOKEN",
    undefined,
    "lets a monitor read /metrics, and all that /api/health knows, from elsewhere (Authorization: Bearer …); this machine needs none",
    token,
  ),
  retentionDays: setting(
    "RETENTION_DAYS",
    "30",
    "days after which a visitor's IP address and browser are removed",
    numberBetween(1, 3650),
  ),
  backupDir: setting(
    "BACKUP_DIR",
    undefined,
    "where backups are kept on this machine; if not given, the folder backups beside DATA_DIR",
    text,
  ),
  backupEvery: setting(
    "BACKUP_EVERY",
    "24",
    "hours from one backup to the next (1, 2, 3, 4, 6, 8, 12 or 24, counted from 3 at night), or off",
    hoursOrOff,
  ),
  backupKeep: setting(
    "BACKUP_KEEP",
    "7,4,12",
    "how many daily, weekly and monthly backups are kept, unless an owner chooses otherwise",
    threeNumbers,
  ),
  backupFree: setting(
    "BACKUP_FREE",
    "10",
    "percent of the disk that backups leave free",
    numberBetween(0, 90),
  ),
  backupS3: setting(
    "BACKUP_S3",
    undefined,
    "where backups are kept away from this machine: s3://bucket?endpoint=https://…&region=…",
    s3Place,
  ),
  backupKey: setting(
    "BACKUP_KEY",
    undefined,
    "the public part of the key (age1…) that backups are encrypted with before they leave this machine",
    recipients,
  ),
  s3AccessKeyId: setting(
    "S3_ACCESS_KEY_ID",
    undefined,
    "the name of the key to the S3 store",
    text,
  ),
  s3SecretAccessKey: setting(
    "S3_SECRET_ACCESS_KEY",
    undefined,
    "its secret; better given as a variable than as a flag, which others on the machine can see",
    text,
  ),
  s3Credentials: setting(
    "S3_CREDENTIALS",
    undefined,
    "instead of the two: a file with short-lived keys to the S3 store, as the tools of AWS know it; it is read again when it changes",
    text,
  ),
  mailUrl: setting(
    "MAIL_URL",
    undefined,
    "where mail is handed in, such as smtps://user:password@host:465; better given as a variable than as a flag",
    parsed(parseMailUrl),
  ),
  mailFrom: setting(
    "MAIL_FROM",
    undefined,
    "the sender of the site's mail: Name <address>",
    parsed(parseSender),
  ),
} as const;
