/**
 * An object as the API server sends it, with what of it the page reads: a resource, a list, a table, a Status, a frame of a
 * watch, the groups and versions of the API.
 */
export interface ApiObject {
  apiVersion?: string;
  kind?: string;
  metadata?: Meta;
  spec?: { holderIdentity?: string; leaseDurationSeconds?: number };
  items?: ApiObject[];
  // A table.
  columnDefinitions?: { name: string; priority: number; format?: string }[] | null;
  rows?: { cells: unknown[]; object?: ApiObject }[];
  // A frame of a watch.
  type?: string;
  object?: ApiObject;
  // A Status.
  reason?: string;
  message?: string;
  code?: number;
  details?: { kind?: string; name?: string; causes?: { field: string; message: string }[] };
  // The API itself.
  groups?: { versions: { groupVersion: string }[] }[];
  groupVersion?: string;
  resources?: { name: string; shortNames?: string[]; namespaced: boolean; kind: string; verbs: string[] }[];
  versions?: string[];
  gitVersion?: string;
}
export interface Meta {
  name?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  continue?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  managedFields?: unknown;
}
