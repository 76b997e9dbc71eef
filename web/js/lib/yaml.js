/** What reads and writes YAML is large: it is fetched when it is wanted. */
import { later } from './later.js';

const fetchYaml = later(() => import('./yamltext.js'));

/** Throws a sentence when it cannot be had. */
export async function yamlTools() {
  const tools = await fetchYaml();
  if (!tools) throw new Error('What reads and writes YAML could not be loaded.');
  return tools;
}
