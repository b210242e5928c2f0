// Resources of AWS: the region comes from --aws-scope; a role has none.
// args: --aws-scope /planes/aws/aws/accounts/111122223333/regions/eu-west-1
extension aws

resource bucket 'AWS.S3/Bucket@default' existing = { alias: 'a', properties: { BucketName: 'shop-uploads' } }
resource table 'AWS.DynamoDB/Table@default' existing = { alias: 'b', properties: { TableName: 'orders' } }
resource role 'AWS.IAM/Role@default' existing = { alias: 'c', properties: { RoleName: 'shop' } }
resource repository 'AWS.ECR/Repository@default' existing = { alias: 'd', properties: { RepositoryName: 'shop/web' } }
resource function 'AWS.Lambda/Function@default' existing = { alias: 'e', properties: { FunctionName: 'resize' } }
resource logs 'AWS.Logs/LogGroup@default' existing = { alias: 'f', properties: { LogGroupName: '/shop/web' } }
resource memory 'AWS.MemoryDB/Cluster@default' existing = { alias: 'g', properties: { ClusterName: 'sessions' } }
resource database 'AWS.RDS/DBCluster@default' existing = { alias: 'h', properties: { DBClusterIdentifier: 'orders' } }
resource cache 'AWS.ElastiCache/ReplicationGroup@default' existing = { alias: 'i', properties: { ReplicationGroupId: 'pages' } }
resource network 'AWS.EC2/VPC@default' existing = { alias: 'j', properties: { VpcId: 'vpc-0a1b2c3d' } }
resource subnet 'AWS.EC2/Subnet@default' existing = { alias: 'k', properties: { SubnetId: 'subnet-0a1b2c3d' } }
resource rules 'AWS.EC2/SecurityGroup@default' existing = { alias: 'l', properties: { Id: 'sg-0a1b2c3d' } }
resource files 'AWS.EFS/FileSystem@default' existing = { alias: 'm', properties: { FileSystemId: 'fs-0a1b2c3d' } }
resource key 'AWS.KMS/Key@default' existing = { alias: 'n', properties: { KeyId: '1234abcd-12ab-34cd-56ef-1234567890ab' } }
