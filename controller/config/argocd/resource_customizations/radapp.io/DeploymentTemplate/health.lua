-- The health of a DeploymentTemplate and of a DeploymentResource, for Argo CD.
local hs = {status = "Progressing", message = "waits for the controller"}
local annotations = obj.metadata.annotations or {}
local status = obj.status or {}
if obj.metadata.deletionTimestamp ~= nil then
  hs.message = status.message or "is being deleted"
  for _, c in ipairs(status.conditions or {}) do
    if c.type == "Ready" and c.reason == "DeletionFailed" then
      hs.status = "Degraded"
    end
  end
  return hs
end
if annotations["radapp.io/suspend"] == "true" then
  hs.status = "Suspended"
  hs.message = "suspended by the annotation radapp.io/suspend"
  return hs
end
if status.observedGeneration == nil or status.observedGeneration ~= obj.metadata.generation then
  return hs
end
local ready, reconciling, stalled
for _, c in ipairs(status.conditions or {}) do
  if c.type == "Ready" then ready = c end
  if c.type == "Reconciling" and c.status == "True" then reconciling = c end
  if c.type == "Stalled" and c.status == "True" then stalled = c end
end
if stalled ~= nil then
  hs.status = "Degraded"
  hs.message = stalled.message
elseif ready == nil then
  return hs
elseif ready.status == "True" then
  hs.status = "Healthy"
  hs.message = ready.message
elseif reconciling ~= nil then
  hs.message = reconciling.message
elseif ready.status == "False" then
  hs.status = "Degraded"
  hs.message = ready.message
else
  hs.message = ready.message
end
return hs
