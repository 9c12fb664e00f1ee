import { createHmac, timingSafeEqual } from "node:crypto";

export interface Session {
  memberId: string;
  expires: number;
}

const LIFETIME = 30 * 60 * 1000;

/** The value of a cookie that only we can have written. */
export function seal(session: Session, key: string): string {
  const body = Buffer.from(JSON.stringify(session)).toString("base64url");
  return `${body}.${sign(body, key)}`;
}

/** The session in a cookie, or null when it was forged or is over. */
export function open(cookie: string, key: string, now: number): Session | null {
  const [body, signature] = cookie.split(".");
  const expected = Buffer.from(sign(body, key));
  const given = Buffer.from(signature ?? "");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const session = JSON.parse(Buffer.from(body, "base64url").toString()) as Session;
  return session.expires > now ? session : null;
}

export function extend(session: Session, now: number): Session {
  return { ...session, expires: now + LIFETIME };
}

function sign(body: string, key: string): string {
  return createHmac("sha256", key).update(body).digest("base64url");
}
