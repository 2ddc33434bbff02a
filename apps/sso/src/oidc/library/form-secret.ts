// What a form sends back, so that no other page can send it.
import { createHmac } from 'node:crypto';

/** @param tgt the id of the session, which only its browser has: what the database has is a hash of it */
export function formSecretOf(tgt: string): string {
  return createHmac('sha256', tgt).update('form').digest('hex');
}
