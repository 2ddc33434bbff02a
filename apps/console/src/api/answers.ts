// The names under which the console uses the generated types.
import type {
  GetApiV1AuditData,
  GetApiV1AuditResponse,
  GetApiV1HealthResponse,
  GetApiV1LogoutMessagesResponse,
  GetApiV1MeResponse,
  GetApiV1ServicesIdResponse,
  GetApiV1ServicesIdSecretsResponse,
  GetApiV1SessionsIdResponse,
  GetApiV1SessionsResponse,
  GetApiV1SettingsResponse,
  GetApiV1UsersNameResponse,
  PostApiV1ServicesConvertResponse,
  PostApiV1ServicesDryRunResponse,
  PostApiV1ServicesResponse,
} from './generated/types.gen.js';

export type Health = GetApiV1HealthResponse;
export type Me = GetApiV1MeResponse;
export type Service = GetApiV1ServicesIdResponse;
export type Definition = Omit<Service, 'id'>;
export type Client = NonNullable<Definition['client']>;
export type Secret = GetApiV1ServicesIdSecretsResponse['items'][number];
export type Registration = PostApiV1ServicesResponse;
export type Conversion = PostApiV1ServicesConvertResponse;
export type Note = Conversion['notes'][number];
export type DryRunResult = PostApiV1ServicesDryRunResponse;
export type Session = GetApiV1SessionsResponse['items'][number];
export type SessionDetails = GetApiV1SessionsIdResponse;
export type User = GetApiV1UsersNameResponse;
export type LogoutMessage = GetApiV1LogoutMessagesResponse['items'][number];
export type MessageState = LogoutMessage['state'];
export type AuditEvent = GetApiV1AuditResponse['items'][number];
export type AuditQuery = NonNullable<GetApiV1AuditData['query']>;
export type Setting = GetApiV1SettingsResponse['items'][number];

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}
